import { named, type Program } from './program.ts';

const MANY: Program = { others: 'plain' };

const TERRAFORM: Program = {
  style: 'go',
  plain: '-version -help -no-color -json',
  moves: '-chdir=',
  nests: true,
  shared: true,
  subcommands: {
    ...named(
      'plan apply destroy refresh init validate fmt show output graph state import taint untaint workspace get providers version test console force-unlock metadata',
      {
        others: 'plain',
        exact: true,
        harmless: { '-var-file': /^(\.\/)?([\w-]+\/)*[\w-][\w.-]*\.tfvars(\.json)?$/ },
        plain: '-lock-timeout= -parallelism= -target= -var= -replace=',
        runs: '-config= -plugin-dir= -var-file= -backend-config= -from-module= -cli-config-file= -module-depth= -allow-deferral -junit-xml=',
        writes: '-out= -state= -state-out= -backup= -backup-out= -generate-config-out= -draw-cycles',
      },
    ),
    ...named('login logout', { spelled: true }),
  },
  otherwise: {},
};

export const CLOUD: Record<string, Program> = {
  ...named('terraform tofu', TERRAFORM),
  terragrunt: {
    style: 'go',
    runs: '-terragrunt-tfpath= -tf-path= -terragrunt-config= -config=',
    moves: '-working-dir= -terragrunt-working-dir=',
    shared: true,
    otherwise: MANY,
  },
  gh: {
    plain: '-R: --repo= --hostname=',
    shared: true,
    subcommands: {
      ...named(
        'pr issue run workflow release search label project ruleset variable secret status org cache attestation auth ssh-key gpg-key browse',
        {
          plain: '-R: --repo= --json= --jq= --template= -q: -t: -L: --limit=',
          subcommands: {
            download: { others: 'plain', writes: '-D: -O: --dir= --output=' },
            ...named(
              'checkout co create view list diff checks status comment edit merge close reopen ready review watch rerun cancel delete set',
              {
                others: 'plain',
                runs: '--editor -e --web -w --recover=',
              },
            ),
          },
          otherwise: { others: 'plain' },
          shared: true,
        },
      ),
      repo: {
        subcommands: {
          clone: { others: 'plain', runs: '--upload-pack= -u: --config= -c: --template=', endless: true },
        },
        otherwise: MANY,
      },
      gist: {
        subcommands: {
          clone: { others: 'plain', runs: '--upload-pack= -u: --config= -c: --template=', endless: true },
        },
        otherwise: MANY,
      },
      api: {
        others: 'plain',
        plain:
          '-X: -H: -f: -F: -q: -t: -p: --method= --header= --field= --raw-field= --jq= --template= --input= --cache= --preview=',
      },
      ...named('alias extension ext extensions config codespace cs', { spelled: true, others: 'plain' }),
    },
    otherwise: {},
  },
  aws: {
    plain:
      '--profile= --region= --output= --query= --debug --no-cli-pager --no-paginate --no-verify-ssl --color= --no-sign-request --cli-read-timeout= --cli-connect-timeout= --cli-binary-format= --no-cli-auto-prompt --cli-auto-prompt',
    runs: '--endpoint-url= --ca-bundle=',
    shared: true,
    subcommands: {
      configure: {
        subcommands: named('list list-profiles get', MANY),
        otherwise: { spelled: true, others: 'plain' },
        spelled: true,
        shared: true,
      },
      ssm: { subcommands: { 'start-session': { spelled: true, others: 'plain' } }, otherwise: MANY, shared: true },
      ecs: { subcommands: { 'execute-command': { spelled: true, others: 'plain' } }, otherwise: MANY, shared: true },
      cloudformation: { otherwise: { others: 'plain', writes: '--output-template-file=' }, shared: true },
    },
    otherwise: { otherwise: MANY, shared: true },
  },
  gcloud: {
    plain:
      '-qh --project= --account= --quiet --format= --filter= --verbosity= --region= --zone= --configuration= --billing-project= --impersonate-service-account= --user-output-enabled= --log-http --trace-token= --flatten=',
    runs: '--flags-file= --access-token-file=',
    shared: true,
    subcommands: {
      config: { spelled: true, others: 'plain' },
      compute: {
        shared: true,
        subcommands: { ...named('ssh scp config-ssh start-iap-tunnel', { spelled: true, others: 'plain' }) },
        otherwise: { shared: true, otherwise: MANY },
      },
    },
    otherwise: { shared: true, otherwise: MANY },
  },
  az: {
    plain: '-o: --output= --query= --subscription= --only-show-errors --verbose --debug',
    shared: true,
    otherwise: { shared: true, otherwise: MANY },
  },
  ...named('fly flyctl heroku railway render', {
    plain:
      '-a: -r: -s: -e: -n: -t -j -d --app= --remote= --service= --environment= --region= --org= --tail --no-tail --json --num= --dyno= --source= --machine= --select --all --linked --deployment --project=',
    runs: '-c: --config= --access-token= --command= -C:',
    subcommands: {
      ...named('ssh console proxy run shell exec connect pg:psql run:detached ps:exec local', {
        spelled: true,
        others: 'plain',
        launch: { anywhere: true },
      }),
      ...named('auth tokens', { spelled: true, otherwise: {} }),
    },
    otherwise: { otherwise: {}, shared: true },
    shared: true,
  }),
  ...named('supabase pulumi serverless sls vercel netlify cdk sam doctl glab firebase', {
    plain:
      '-s: -a: -R: -P: -n: -e: -A --stack= --stage= --linked --local --schema= --diff --json --prod --all --project= --project-ref= --region= --scope= --site= --filter= --only= --format= --output-format= --refresh --show-config --show-outputs --no-header --limit= --author= --assignee= --state= --repo= --per-page= --lint --non-interactive --no-color --yes --quiet',
    runs: '-c: --config= --config-file= --exec= --plugin= --app= --toolkit-stack-name= --policy-pack= --profile= --token= --debug-port=',
    writes: '-o: --output= --out= --output-dir=',
    moves: '-C: --cwd= --workdir= --dir=',
    enters: true,
    subcommands: {
      ...named('exec dev emulators:exec login logout config', {
        spelled: true,
        others: 'plain',
        launch: { anywhere: true },
      }),
      ...named('functions db migration gen inspect stack app mr issue ci repo compute', {
        otherwise: {},
        shared: true,
      }),
    },
    otherwise: {},
    shared: true,
  }),
  ...named('vault nomad consul', {
    style: 'go',
    plain:
      '-format= -field= -namespace= -version= -mount= -json -short -verbose -stale -all -region= -task= -tail -n= -stderr -detailed -http-addr=',
    runs: '-address= -ca-cert= -ca-path= -client-cert= -client-key= -tls-skip-verify -agent-address= -config= -config-file=',
    writes: '-output=',
    subcommands: {
      ...named('agent server proxy ssh exec alloc monitor debug login', {
        spelled: true,
        others: 'plain',
        launch: { anywhere: true },
      }),
    },
    otherwise: { otherwise: {}, shared: true },
    shared: true,
  }),
  ...named('argocd flux eksctl istioctl linkerd velero kustomize skaffold k9s', {
    plain:
      '-n: -A -l: -o: -w -p: --namespace= --all-namespaces --selector= --output= --context= --refresh --hard-refresh --region= --cluster= --name= --watch --timeout= --show-operation --project= --kind= --status-selector= --no-header --proxy --tail= --since= --follow',
    runs: '--kubeconfig= --config= --server= --auth-token= --plugin= --enable-exec --enable-helm --enable-alpha-plugins --helm-command= --load-restrictor= --filename= -f: --module= --local= --local-repo-server=',
    writes: '--output-dir=',
    subcommands: {
      ...named('exec login port-forward proxy dashboard completion debug', { spelled: true, others: 'plain' }),
    },
    otherwise: { otherwise: { otherwise: {}, shared: true }, shared: true },
    shared: true,
    harmless: { '-o': /^[\w=.{}[\]*-]+$/ },
  }),
  gsutil: {
    plain: '-m -q -D -l -L -r -R -a -h -d -p: -u: -n -e -c -s -f',
    runs: '-o: -i:',
    otherwise: { others: 'plain', deletes: '-d' },
  },
  bq: {
    plain:
      '--use_legacy_sql? --nouse_legacy_sql --format= --project_id= --location= --dataset_id= --max_results= --dry_run --quiet --headless -q --job_id= --n= --maximum_bytes_billed= --start_row= -n: --schema --prettyjson',
    runs: '--bigqueryrc= --flagfile= --api= --credential_file= --service_account_credential_file=',
    otherwise: {},
    shared: true,
  },
};
